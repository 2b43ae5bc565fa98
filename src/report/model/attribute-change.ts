import { z } from "zod";
import { count, type ValueOf } from "../../kernel/schemas.ts";

/**
 * A value of an attribute as a reader may see it: `text` is truncated; `later`: known only after the apply; a list, a map and a
 * JSON document (`document`) give only their number of members. Sensitive values are never included.
 */
const AttributeValue = z.union([
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.enum(["list", "map", "document"]), count }),
  z.object({ kind: z.enum(["none", "later", "sensitive"]) }),
]);
export type AttributeValue = ValueOf<typeof AttributeValue>;

/** One value that changes, by the path of its attribute. */
export const AttributeChange = z.object({ name: z.string(), before: AttributeValue, after: AttributeValue });
export type AttributeChange = ValueOf<typeof AttributeChange>;
