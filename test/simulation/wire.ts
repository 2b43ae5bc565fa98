/** The messages of PostgreSQL's protocol that run a prepared statement: PGlite's own classes take longer than the statements. */

/** What the database answers to one request. */
export interface Answers {
  /** The columns of each row, as text. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly affectedRows: number;
  /** An error is among the messages. */
  readonly hasFailed: boolean;
  /** All messages. */
  readonly bytes: Buffer;
}

const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const [BIND, DATA_ROW, COMMAND_COMPLETE, ERROR] = [0x42, 0x44, 0x43, 0x45];
/** The bytes of a message before its content: its kind, and its length without the kind. */
const HEADER = 5;

/** Writes requests to run a statement: all into the same memory. */
export class BindWriter {
  #memory = Buffer.alloc(64 * 1_024);

  /** The request to run the statement of this name. It is overwritten by the next. */
  write(name: string, values: readonly (string | null)[]): Uint8Array {
    const needed = values.reduce((sum, value) => sum + 4 + 3 * (value?.length ?? 0), 256);
    if (needed > this.#memory.length) this.#memory = Buffer.alloc(2 * needed);
    const memory = this.#memory;
    memory[0] = BIND;
    memory[HEADER] = 0; // no portal's name
    let at = HEADER + 1;
    at += memory.write(`${name}\0`, at);
    at = memory.writeInt16BE(0, at); // all parameters are texts
    at = memory.writeInt16BE(values.length, at);
    for (const value of values) {
      const length = value === null ? 0 : memory.write(value, at + 4);
      memory.writeInt32BE(value === null ? -1 : length, at);
      at += 4 + length;
    }
    at = memory.writeInt16BE(0, at); // all columns too
    memory.writeInt32BE(at - 1, 1);
    at += EXECUTE_AND_SYNC.copy(memory, at);
    return memory.subarray(0, at);
  }
}

export function readAnswers(bytes: Buffer): Answers {
  const rows: (string | null)[][] = [];
  let affectedRows = 0;
  let hasFailed = false;
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const kind = bytes[at];
    if (kind === DATA_ROW) rows.push(readColumns(bytes, at + HEADER));
    if (kind === COMMAND_COMPLETE)
      affectedRows = countRows(bytes.toString("latin1", at + HEADER, at + bytes.readInt32BE(at + 1)));
    hasFailed ||= kind === ERROR;
  }
  return { rows, affectedRows, hasFailed, bytes };
}

function readColumns(bytes: Buffer, start: number): (string | null)[] {
  const columns: (string | null)[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    columns.push(length === -1 ? null : bytes.toString("utf8", at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return columns;
}

/** Of a tag like `INSERT 0 1`, `UPDATE 2` or `BEGIN`. */
const countRows = (tag: string): number => Number(/\d+$/.exec(tag)?.[0] ?? 0);
