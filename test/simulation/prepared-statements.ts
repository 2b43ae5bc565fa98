import { type messages, type PGlite, protocol } from "@electric-sql/pglite";
import { type Answers, BindWriter, readAnswers } from "./wire.ts";

export interface StatementResult {
  readonly rows: Readonly<Record<string, unknown>>[];
  readonly affectedRows: number;
}

interface Statement {
  readonly name: string;
  readonly writers: readonly ((value: unknown) => string)[];
  readonly fields: readonly { readonly name: string; readonly parse: ((text: string) => unknown) | null }[];
  readonly isOrdered: boolean;
}

const { serialize, Parser } = protocol;

/**
 * Runs statements on an embedded database as `PGlite.query` does, and prepares each text once: parsing and planning are two thirds
 * of the time of a short statement. Nobody else may use the database meanwhile.
 */
export class PreparedStatements {
  readonly #lite: PGlite;
  readonly #statements = new Map<string, Statement>();
  readonly #binds = new BindWriter();

  constructor(lite: PGlite) {
    this.#lite = lite;
  }

  /** @throws the database's own error */
  query(sql: string, parameters: readonly unknown[]): StatementResult {
    const { name, writers, fields, isOrdered } = this.#statements.get(sql) ?? this.#prepare(sql);
    const values = parameters.map((value, index) =>
      value === null || value === undefined ? null : (writers[index] ?? String)(value),
    );
    const { rows, affectedRows } = this.#send(this.#binds.write(name, values));
    // Without an order, the rows of earlier stories would decide it: their space is used again.
    const ordered = isOrdered || rows.length < 2 ? rows : sortRows(rows);
    return { rows: ordered.map((texts) => readRow(texts, fields)), affectedRows };
  }

  /** Runs a script of statements without parameters. */
  exec(script: string): void {
    this.#send(serialize.query(script));
  }

  #prepare(sql: string): Statement {
    const name = `s${this.#statements.size}`;
    const request = [
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    ];
    let writers: Statement["writers"] = [];
    let fields: Statement["fields"] = [];
    new Parser().parse(this.#send(Buffer.concat(request)).bytes, (message) => {
      if (message.name === "parameterDescription")
        writers = (message as messages.ParameterDescriptionMessage).dataTypeIDs.map(
          (type) => this.#lite.serializers[type] ?? String,
        ); // by its name
      if (message.name === "rowDescription")
        fields = (message as messages.RowDescriptionMessage).fields.map((field) => ({
          name: field.name,
          parse: this.#lite.parsers[field.dataTypeID] ?? null,
        })); // by its name
    });
    const statement = { name, writers, fields, isOrdered: /\border by\b/i.test(sql) };
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * The function for streams has called back for everything when it returns. The others parse all answers, which takes longer than
   * the statements, and keep them.
   */
  #send(request: Uint8Array): Answers {
    const parts: Buffer[] = [];
    const onRawData = (data: Uint8Array): unknown => parts.push(Buffer.from(data)); // a copy: these bytes are the database's own
    withoutTimers(() => void this.#lite.execProtocolRawStream(request, { syncToFs: false, onRawData }));
    const answers = readAnswers(
      parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
    );
    if (answers.hasFailed)
      new Parser().parse(answers.bytes, (message) => {
        if (message.name === "error") throw message;
      });
    return answers;
  }
}

/** PostgreSQL sets timers for its statistics. What earlier stories did decides when, so that a story's clock must not have them. */
function withoutTimers(work: () => void): void {
  const { setTimeout: own } = globalThis;
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout; // the database only clears what it is given
  try {
    work();
  } finally {
    globalThis.setTimeout = own;
  }
}

type Texts = Answers["rows"][number];

const sortRows = (rows: readonly Texts[]): readonly Texts[] =>
  rows
    .map((texts) => ({ texts, key: JSON.stringify(texts) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ texts }) => texts);

function readRow(texts: Texts, fields: Statement["fields"]) {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of fields.entries()) {
    const text = texts[index] ?? null;
    row[name] = text === null || parse === null ? text : parse(text);
  }
  return row;
}
