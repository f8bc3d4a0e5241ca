/** A DNS subdomain (RFC 1123; apimachinery `validation.IsDNS1123Subdomain`). */
export function isObjectName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)
}
