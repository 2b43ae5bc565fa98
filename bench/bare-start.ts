import { createServer } from "node:http";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

// The floor of `start`: an embedded database with one table and a server, and nothing of Tollgate.
const lite = new PGlite({ dataDir: join(process.env["TOLLGATE_DATA"] ?? "", "pg") });
await lite.exec("create table if not exists delivery (id serial primary key, body text)");
createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  await lite.query("insert into delivery (body) values ($1)", [Buffer.concat(chunks).toString()]);
  response.writeHead(202).end("queued\n");
}).listen(Number(process.env["PORT"]), "127.0.0.1");
