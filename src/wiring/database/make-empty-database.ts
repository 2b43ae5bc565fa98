import { writeFileSync } from "node:fs";
import { openBoss } from "../../queue/open.ts";
import { openUnprepared } from "../../store/unprepared.ts";
import { PREPARED_DATABASE, schema } from "./schema.ts";

// `npm run generate`: needed again whenever the embedded database's version or a table changes; a test says so. An older one
// still works, as every start brings its tables up to date.
const store = await openUnprepared(schema.migrations);
const boss = await openBoss(store, { warn: () => {}, error: () => {} });
await boss.stop({ graceful: false });
writeFileSync(PREPARED_DATABASE, await store.image());
await store.close();
