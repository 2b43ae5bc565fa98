/** What rows of one change type are sorted by: the name, then the address, both by UTF-16 code units. */
export interface Sortable {
  readonly name: string;
  readonly resource_address: string;
}

/** Order of rows within a change type (provisioning 4.2, read rule 1). Rows that are equal in it keep the order of the upload. */
export const byName = (a: Sortable, b: Sortable): number =>
  compareText(a.name, b.name) || compareText(a.resource_address, b.resource_address);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
