export function noObjectName(name: string, what: string): string {
  return `"${name}" is not a valid name of ${what}: use lower-case letters, digits, "-" and ".", and begin and end with a letter or digit.`
}
