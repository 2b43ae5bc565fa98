/** The sort key of rows of one change type: the name, then the address, both by UTF-16 code units. */
export interface Sortable {
  readonly name: string;
  readonly resource_address: string;
}

/** Compares rows within a change type (provisioning 4.2, read rule 1). Equal rows stay in upload order. */
export const byName = (a: Sortable, b: Sortable): number =>
  compareText(a.name, b.name) || compareText(a.resource_address, b.resource_address);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
