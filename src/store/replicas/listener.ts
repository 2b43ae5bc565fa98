import { TollgateError } from "../../kernel/errors.ts";
import { SteadyClient } from "../database/steady-client.ts";

/** How long an answer may take, in ms. */
const SILENCE_MS = 5_000;

class ListeningClient extends SteadyClient {
  /** Number of the server's process as the other end stated it; a proxy states another one. Absent in the types of `pg`. */
  declare readonly processID: number | null;

  constructor(connectionString: string) {
    super({ connectionString }, SILENCE_MS);
  }
}

interface Subscription {
  readonly onNotification: (payload: string) => void;
  /** Called after each (re)connection: notifications may have been missed. */
  readonly onConnect: () => void;
}

export interface ListenerOptions {
  /** Of PostgreSQL itself: notifications need a session of their own. */
  readonly url: string;
  /** Receives why the connection was lost; a new one is being opened. */
  readonly onError: (error: Error) => void;
}

/** Time between two examinations of the connection, in ms: a silent one is replaced. */
const EXAMINE_MS = 10_000;
/** Pauses before a new connection, in ms; the last one repeats. */
const PAUSES_MS = [200, 1_000, 5_000, 15_000] as const;

/** One connection to PostgreSQL that receives the notifications of several channels, and is replaced when it is lost. */
export class DatabaseListener {
  readonly #options: ListenerOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  #client: ListeningClient | null = null;
  #connecting: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lost = 0;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  isListening(): boolean {
    return this.#client !== null;
  }

  /**
   * Listens to a channel from now on, or from the first connection on which this is possible.
   *
   * @throws TollgateError `listen_impossible` when a proxy shares the session with others
   */
  async listen(channel: string, onNotification: Subscription["onNotification"], onConnect: () => void) {
    this.#subscriptions.set(channel, { onNotification, onConnect });
    const client = this.#client;
    try {
      if (client === null) await this.#connect();
      else {
        await listenTo(client, channel);
        onConnect();
      }
    } catch (error) {
      if (error instanceof TollgateError) {
        this.#subscriptions.delete(channel);
        throw error;
      }
      const cause = new Error("the connection for notifications failed, and another one follows", {
        cause: error,
      });
      if (client === null) this.#retry(cause);
      else this.#lose(client, cause);
    }
    return { close: () => this.#unsubscribe(channel) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #unsubscribe(channel: string): Promise<void> {
    this.#subscriptions.delete(channel);
    if (this.#subscriptions.size === 0) await this.close();
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    const client = new ListeningClient(this.#options.url);
    client.on("notification", ({ channel, payload = "" }) =>
      this.#subscriptions.get(channel)?.onNotification(payload),
    );
    try {
      await client.connect();
      await requireOwnSession(client);
      for (const channel of this.#subscriptions.keys()) await listenTo(client, channel);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) return void (await client.end().catch(() => {}));
    client.on("end", () => this.#lose(client, new Error("the connection for notifications ended")));
    this.#client = client;
    this.#lost = 0;
    this.#examineLater(client);
    for (const { onConnect } of this.#subscriptions.values()) onConnect();
  }

  #examineLater(client: ListeningClient): void {
    this.#timer = setTimeout(() => {
      client.query("select 1").then(
        () => this.#client === client && this.#examineLater(client),
        (error: Error) => this.#lose(client, error),
      );
    }, EXAMINE_MS).unref();
  }

  #lose(client: ListeningClient, error: Error): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#retry(error);
  }

  #retry(error: Error): void {
    this.#options.onError(error);
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    const pauseMs = PAUSES_MS[Math.min(this.#lost, PAUSES_MS.length - 1)];
    this.#lost += 1;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#connect().catch(() => this.#connectLater());
    }, pauseMs).unref();
  }
}

async function listenTo(client: SteadyClient, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}

/** A proxy that gives each transaction another connection would register the channel for somebody else. */
async function requireOwnSession(client: ListeningClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (rows[0]?.pid === client.processID) return;
  throw new TollgateError(
    "listen_impossible",
    "a proxy is between Tollgate and PostgreSQL: it cannot listen",
    {
      hint: "Set DATABASE_LISTEN_URL to the address of PostgreSQL itself.",
    },
  );
}
