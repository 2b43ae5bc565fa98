import { writeFileSync } from "node:fs";
import { openBoss } from "../../queue/open.ts";
import { openUnprepared } from "../../store/unprepared-store.ts";
import { PREPARED_DATABASE, schema } from "./schema.ts";

// Executed by `npm run generate`. A test fails when the version of the embedded database or a table changed
// since. An outdated file still works, because every start migrates its tables.
const store = await openUnprepared(schema.migrations);
const boss = await openBoss(store, { warn: () => {}, error: () => {} });
await boss.stop({ graceful: false });
writeFileSync(PREPARED_DATABASE, await store.image());
await store.close();
