import { TollgateError } from "../../kernel/errors.ts";
import { shareRunning } from "../../kernel/read-once.ts";
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

export type DatabaseListener = ReturnType<typeof createDatabaseListener>;

/** One connection to PostgreSQL that receives the notifications of several channels, and is replaced when it is lost. */
export function createDatabaseListener({ url, onError }: ListenerOptions) {
  const subscriptions = new Map<string, Subscription>();
  let current: ListeningClient | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lost = 0;
  let isClosed = false;

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    const client = current;
    current = null;
    await client?.end().catch(() => {});
  }

  const connect = shareRunning(async (): Promise<void> => {
    const client = new ListeningClient(url);
    client.on("notification", ({ channel, payload = "" }) =>
      subscriptions.get(channel)?.onNotification(payload),
    );
    try {
      await client.connect();
      await requireOwnSession(client);
      for (const channel of subscriptions.keys()) await listenTo(client, channel);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    if (isClosed) return void (await client.end().catch(() => {}));
    client.on("end", () => lose(client, new Error("the connection for notifications ended")));
    current = client;
    lost = 0;
    examineLater(client);
    for (const { onConnect } of subscriptions.values()) onConnect();
  });

  function examineLater(client: ListeningClient): void {
    timer = setTimeout(() => {
      client.query("select 1").then(
        () => current === client && examineLater(client),
        (error: Error) => lose(client, error),
      );
    }, EXAMINE_MS).unref();
  }

  function lose(client: ListeningClient, error: Error): void {
    if (current !== client || isClosed) return;
    current = null;
    client.end().catch(() => {});
    retry(error);
  }

  function retry(error: Error): void {
    onError(error);
    connectLater();
  }

  function connectLater(): void {
    if (isClosed) return;
    const pauseMs = PAUSES_MS[Math.min(lost, PAUSES_MS.length - 1)];
    lost += 1;
    clearTimeout(timer);
    timer = setTimeout(() => {
      connect().catch(connectLater);
    }, pauseMs).unref();
  }

  return {
    isListening: () => current !== null,
    /**
     * Listens to a channel from now on, or from the first connection on which this is possible.
     *
     * @throws TollgateError `listen_impossible` when a proxy shares the session with others
     */
    async listen(channel: string, onNotification: Subscription["onNotification"], onConnect: () => void) {
      subscriptions.set(channel, { onNotification, onConnect });
      const client = current;
      try {
        if (client === null) await connect();
        else {
          await listenTo(client, channel);
          onConnect();
        }
      } catch (error) {
        if (error instanceof TollgateError) {
          subscriptions.delete(channel);
          throw error;
        }
        const cause = new Error("the connection for notifications failed, and another one follows", {
          cause: error,
        });
        if (client === null) retry(cause);
        else lose(client, cause);
      }
      return {
        close: async () => {
          subscriptions.delete(channel);
          if (subscriptions.size === 0) await close();
        },
      };
    },
    close,
  };
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
