/** kubectl's notation, with equality and presence: `app=rook-ceph-tools`, `tier==control,!spare`. An empty selector matches nothing. */
export function fitsSelector(labels: Readonly<Record<string, string>>, selector: string): boolean {
  const terms = selector
    .split(',')
    .map(term => term.trim())
    .filter(term => term !== '')
  return terms.length > 0 && terms.every(term => fitsTerm(labels, term))
}

function fitsTerm(labels: Readonly<Record<string, string>>, term: string): boolean {
  const [, key = '', operator = '', value = ''] = /^([^=!]+?)\s*(!=|==?)\s*(.*)$/.exec(term) ?? []
  if (operator === '') return term.startsWith('!') ? !(term.slice(1).trim() in labels) : term in labels
  return operator === '!=' ? labels[key] !== value : labels[key] === value
}
