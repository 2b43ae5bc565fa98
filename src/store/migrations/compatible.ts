/** `0031-more-columns`, or `0032-contract-0031-old-columns`: removes what the versions before 0031 needed. */
const NAME = /^\d{4}(?:-contract-(?<after>\d{4}))?(?:-[a-z0-9]+)+$/;

/**
 * Whether a version works on a database in which a newer version executed this migration. A migration only adds, unless its name says
 * that it removes what the versions before another migration needed: then a version works if it has the other one.
 *
 * @param known the names of the version's own migrations
 */
export function isCompatible(name: string, known: readonly string[]): boolean {
  const parts = NAME.exec(name);
  if (parts === null) return false;
  const after = parts.groups?.["after"];
  return after === undefined || known.some((own) => own.startsWith(`${after}-`));
}
