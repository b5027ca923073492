/**
 * A row as it is answered, from the fields of its schema, so that a field is named once. A field is
 * the row's column of that name, unless `computed` has it.
 */

type ViewOf<Fields, Row, Computed> = {
  [Name in keyof Fields]: Name extends keyof Computed
    ? Computed[Name]
    : Name extends keyof Row
      ? Row[Name]
      : never;
};

export function viewOf<Fields extends object, Row extends object, Computed extends object>(
  fields: Fields,
  computed: (row: Row) => Computed,
): (row: Row) => ViewOf<Fields, Row, Computed> {
  const names = Object.keys(fields);
  // Copied with all its names, because an object that grows name by name is slow to write as JSON.
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]));
  return (row) => {
    const columns = row as Record<string, unknown>;
    const view = { ...blank };
    for (const name of names) view[name] = columns[name];
    return Object.assign(view, computed(row)) as never;
  };
}
