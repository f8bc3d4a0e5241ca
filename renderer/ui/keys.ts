/** Keys as printed on keyboards: `Ctrl+K`, `G then T`. */
export function keyWords(keys: string): string {
  const modifier = /Mac/.test(globalThis.navigator?.userAgent ?? '') ? 'Cmd' : 'Ctrl'
  return keys
    .split(' ')
    .map(key => (key.startsWith('mod+') ? `${modifier}+${key.slice(4).toUpperCase()}` : key))
    .join(' then ')
}
