import { z } from "zod";
import { CODE_TRIGGERS } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { createStoredJsonParser } from "../../area/stored-json.ts";

/** Returns the events of a webhook's `triggers` column. @throws TollgateError `stored_value_unreadable` */
export const readTriggers = createStoredJsonParser("triggers of a webhook", z.array(z.enum(CODE_TRIGGERS)));
