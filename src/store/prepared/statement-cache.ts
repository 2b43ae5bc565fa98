import { type messages, protocol } from "@electric-sql/pglite";
import { isPrepared } from "./texts.ts";

/** Sends messages of PostgreSQL's protocol to the database, and resolves to its answers. */
type Send = (message: Uint8Array) => Promise<Answers>;
type Answers = readonly messages.BackendMessage[];

interface Statement {
  readonly name: string;
  readonly writesInWith: boolean;
  /** What the database says of its parameters and columns; null while the database does not have it under its name. */
  description: Answers | null;
}

/** First bytes of messages: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [PARSE, BIND, DESCRIBE, EXECUTE, SYNC, QUERY] = [..."PBDESQ"].map((letter) => letter.charCodeAt(0));
const STATEMENT = "S".charCodeAt(0);
/** A byte for the kind and four for the length come before the content. */
const HEADER = 5;

const MAX_STATEMENTS = 400;
/**
 * Rows written until all statements are planned anew. PostgreSQL keeps a plan until it has new statistics of a table, and the embedded
 * database gets those once a day: a plan for a table of three rows, which reads all of it, would stay when it has a million.
 */
const MAX_ROWS = 2_000;

/** A statement does not answer how many rows the parts of its `with` write: one is counted for so many bytes of its values. */
const BYTES_PER_ROW = 250;

/** A part like `with written as (insert into …)`. */
const WRITES_IN_WITH =
  /\bas\s+(?:(?:not\s+)?materialized\s+)?\(\s*(?:insert into|update|delete from|merge into)\b/i;
const WRITES = /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)\b.* (\d+)$/;
const CHANGES_SCHEMA = /\b(?:create|alter|drop|truncate)\b/i;

const decoder = new TextDecoder();
const { serialize } = protocol;

/**
 * Lets the embedded database parse a statement once and plan it a few times: from its second execution on it has a name. Parsing and
 * planning are two thirds of the time of a short statement. One that has a name is sent in one piece, which takes a third of the rest.
 */
export class StatementCache {
  /** By their texts. */
  readonly #statements = new Map<string, Statement>();
  #count = 0;
  #rows = 0;
  /** What the messages that follow are about; null: the statement without a name. */
  #current: Statement | null = null;
  /** The Bind message of the current statement, which is sent with what follows. */
  #bind: Uint8Array | null = null;
  #isSynced = false;

  /**
   * Answers a message of a client whose statements have no names, and which sends Parse, Describe, Bind, Describe, Execute and Sync, or
   * after an error Sync.
   */
  async answer(message: Uint8Array, send: Send): Promise<Answers> {
    switch (message[0]) {
      case PARSE:
        return this.#parse(message, send);
      case DESCRIBE:
        return this.#describe(message) ?? send(message);
      case BIND:
        if (this.#current === null) return send(message);
        this.#bind = nameStatement(message, this.#current.name);
        return [];
      case EXECUTE:
        return this.#execute(message, send);
      case SYNC:
        if (!this.#isSynced) return send(message);
        this.#isSynced = false;
        return [];
      case QUERY:
        if (CHANGES_SCHEMA.test(decoder.decode(message.subarray(HEADER)))) await this.#forget(send);
        return this.#countRows(await send(message));
      default:
        return send(message);
    }
  }

  async #parse(message: Uint8Array, send: Send): Promise<Answers> {
    this.#current = null;
    this.#bind = null;
    this.#isSynced = false;
    const text = readText(message);
    if (text === null) return send(message);
    if (CHANGES_SCHEMA.test(text)) await this.#forget(send);
    if (this.#rows > MAX_ROWS) await this.#planAnew(send);
    if (!isPrepared(text)) return send(message);
    const known = this.#statements.get(text);
    if (known === undefined) {
      if (this.#statements.size === MAX_STATEMENTS) await this.#forget(send);
      const writesInWith = WRITES_IN_WITH.test(text);
      this.#statements.set(text, { name: `s${++this.#count}`, writesInWith, description: null });
      return send(message);
    }
    const { name } = known;
    known.description ??= await send(
      Buffer.concat([serialize.parse({ name, text }), serialize.describe({ type: "S", name })]),
    );
    this.#current = known;
    return [];
  }

  #describe(message: Uint8Array): Answers | null {
    const description = this.#current?.description ?? null;
    if (description === null || message[HEADER] === STATEMENT) return description;
    return description.filter(({ name }) => name === "rowDescription");
  }

  async #execute(message: Uint8Array, send: Send): Promise<Answers> {
    if (this.#bind === null) return this.#countRows(await send(message));
    const whole = Buffer.concat([this.#bind, message, serialize.sync()]);
    if (this.#current?.writesInWith) this.#rows += Math.ceil(this.#bind.length / BYTES_PER_ROW);
    this.#bind = null;
    this.#isSynced = true;
    return this.#countRows(await send(whole));
  }

  #countRows(answers: Answers): Answers {
    for (const answer of answers)
      if (answer.name === "commandComplete") {
        const { text } = answer as messages.CommandCompleteMessage; // by its name
        this.#rows += Number(WRITES.exec(text)?.[1] ?? 0);
      }
    return answers;
  }

  /** Keeps the counts by which PostgreSQL chooses plans for all values: it makes such a plan at once instead of at the sixth execution. */
  async #planAnew(send: Send): Promise<void> {
    try {
      await send(serialize.query("discard plans"));
      this.#rows = 0;
    } catch {
      // A transaction that has failed refuses it. What comes now may be its `rollback`; the next statement tries again.
    }
  }

  async #forget(send: Send): Promise<void> {
    const kept = [...this.#statements.values()].filter(({ description }) => description !== null);
    this.#statements.clear();
    for (const { name } of kept) await send(serialize.close({ type: "S", name }));
  }
}

/** The text of a Parse message without a name and without types of parameters; null for any other one. */
function readText(message: Uint8Array): string | null {
  const hasName = message[HEADER] !== 0;
  const hasTypes = message.at(-1) !== 0 || message.at(-2) !== 0;
  return hasName || hasTypes ? null : decoder.decode(message.subarray(HEADER + 1, -3));
}

/** A Bind message for the statement of that name, from one for the statement without a name. */
function nameStatement(message: Uint8Array, name: string): Uint8Array {
  const portal = message.subarray(HEADER, HEADER + 1); // none: an empty name, like that of the statement
  const named = Buffer.concat([
    message.subarray(0, HEADER),
    portal,
    Buffer.from(name),
    message.subarray(HEADER + 1),
  ]);
  named.writeInt32BE(named.length - 1, 1);
  return named;
}
