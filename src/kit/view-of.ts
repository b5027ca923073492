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
  // A loop, because every payment event and read makes a view.
  return (row) => {
    const special = computed(row) as Record<string, unknown>;
    const columns = row as Record<string, unknown>;
    const view: Record<string, unknown> = {};
    for (const name of names) view[name] = name in special ? special[name] : columns[name];
    return view as never;
  };
}
