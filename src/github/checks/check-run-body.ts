import { createHash } from "node:crypto";
import { z } from "zod";
import { shorten } from "../../kernel/shorten.ts";
import type { CheckAction, CheckOutput, CheckWrite } from "./check-write.ts";

/** The part of a write's answer that proves it: our own object. */
export const WrittenRun = z.object({
  id: z.int().positive(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  app: z.object({ id: z.int() }).nullish(),
});

const MAX_TITLE = 255;
/** GitHub counts characters; bytes are never fewer, so this bound holds in both readings. */
const MAX_MARKDOWN_BYTES = 65_535;

const isWithinLimit = (markdown: string): boolean => Buffer.byteLength(markdown) <= MAX_MARKDOWN_BYTES;

/** Ever shorter forms of an output, the first of which GitHub should take: whole, without the text, the title alone. */
export function buildOutputForms(output: CheckOutput): readonly CheckOutput[] {
  const title = shorten(output.title, MAX_TITLE);
  const whole = {
    title,
    summary: addFooter(output),
    text: output.text !== null && isWithinLimit(output.text) ? output.text : null,
  };
  const bare = { title, summary: title, text: null };
  if (!isWithinLimit(output.summary)) return [bare];
  return whole.text === null ? [whole, bare] : [whole, { ...whole, text: null }, bare];
}

/** The footer is left out where GitHub would take no summary with it. */
function addFooter({ summary, footer }: CheckOutput): string {
  const whole = footer === undefined ? summary : `${summary}\n\n${footer}`;
  return isWithinLimit(whole) ? whole : summary;
}

/** Whether nothing must be written: the digest is the same. A changed link or footer alone is written with the next change. */
export function computeCheckDigest(write: CheckWrite): string {
  const { headSha, checkName, decision, externalId, actions } = write;
  const { footer: _, ...output } = write.output;
  const parts = [headSha, checkName, decision, output, externalId, actions];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The parameters of a create or update. GitHub empties `conclusion` of a run that goes on. */
export function buildRunParameters(write: CheckWrite, output: CheckOutput) {
  const { title, summary, text } = output;
  return {
    repository_id: write.repositoryId,
    name: write.checkName,
    external_id: write.externalId,
    ...write.decision,
    details_url: write.detailsUrl,
    output: text === null ? { title, summary } : { title, summary, text },
    actions: write.actions.slice(0, 3).map(shortenAction),
  };
}

const shortenAction = (action: CheckAction): CheckAction => ({
  label: action.label.slice(0, 20),
  description: action.description.slice(0, 40),
  identifier: action.identifier.slice(0, 20),
});
