// JavaScript, because Node takes 15 MB to strip types. The floor of `start`: the libraries that receive a delivery, store it and
// call GitHub, with the same settings, one more table in the same database, and nothing else of Tollgate.
import { createServer } from "node:http";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { Octokit } from "@octokit/rest";
import pg from "pg";

const { DATABASE_URL, PORT, START_PARAMS = "[]", TOLLGATE_DATA = "", V8_FLAGS = "[]" } = process.env;

/** @returns {Promise<(text: string, values?: string[]) => Promise<unknown>>} */
async function openDatabase() {
  if (DATABASE_URL !== undefined) {
    const pool = new pg.Pool({ connectionString: DATABASE_URL });
    return (text, values) => pool.query(text, values);
  }
  for (const flag of JSON.parse(V8_FLAGS)) setFlagsFromString(flag);
  const lite = new PGlite({ dataDir: join(TOLLGATE_DATA, "pg"), startParams: JSON.parse(START_PARAMS) });
  return (text, values) => lite.query(text, values);
}

const query = await openDatabase();
await query("create table if not exists bare_delivery (id serial primary key, body text)");
const octokit = new Octokit();
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  await query("insert into bare_delivery (body) values ($1)", [Buffer.concat(chunks).toString()]);
  response.writeHead(202, { "x-client": Object.keys(octokit).length }).end("queued\n");
}).listen(Number(PORT), "127.0.0.1");
