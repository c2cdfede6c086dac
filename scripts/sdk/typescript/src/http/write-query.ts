/**
 * Returns the query string of a request with its `?`, or nothing without parameters. Absent values are left out, and a
 * nested object becomes `name[key]=value`, as the API reads `metadata`. A Date is written in UTC.
 */
export function writeQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Date) parameters.append(name, value.toISOString());
    else if (typeof value !== 'object') parameters.append(name, String(value));
    else for (const [key, inner] of Object.entries(value)) parameters.append(`${name}[${key}]`, String(inner));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
