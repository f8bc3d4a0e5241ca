/** What is said of a name that no object can have. */
export function noObjectName(name: string, what: string): string {
  return `"${name}" cannot be the name of ${what}: lower-case letters, digits, "-" and "." are, and it begins and ends with a letter or digit.`
}
