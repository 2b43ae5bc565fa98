import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBoss } from "../queue/open.ts";
import { openUnprepared } from "../store/unprepared.ts";

// `npm run generate`: needed again whenever the embedded database's version or a table changes; a test says so. An older one
// still works, as every start brings its tables up to date.
const store = await openUnprepared();
const boss = await openBoss(store, { warn: () => {}, error: () => {} });
await boss.stop({ graceful: false });
writeFileSync(join(import.meta.dirname, "..", "store", "empty-database.tar.gz"), await store.image());
await store.close();
