/** Files of `templates/pages/`. */
export interface PageFiles {
  /** Templates by name without `.hbs`. */
  readonly templates: Readonly<Record<string, string>>;
  /** Shapes of 16 by 16 pixels. */
  readonly icons: Readonly<Record<string, string>>;
  readonly style: string;
}
