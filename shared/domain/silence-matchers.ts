/** Alertmanager anchors a regex at both ends. */
export interface Matcher {
  readonly name: string
  readonly value: string
  readonly isRegex: boolean
  readonly isEqual: boolean
}

export interface SilencedInstance {
  readonly id: string
  readonly name: string
}

type TemplateKind = 'node' | 'instance'

const PLACEHOLDERS: Readonly<Record<TemplateKind, readonly string[]>> = {
  node: ['NODE'],
  instance: ['INSTANCE_NAME', 'INSTANCE_ID'],
}

/** More instances need more silences. */
const MOST_NAMES = 100

/** Names besides `probe-1` that a template might match: the empty name, a neighbour, and longer names. */
const OTHERS: readonly string[] = [
  '',
  'other',
  ...[...'0123456789ab'].flatMap(sign => [`probe-1${sign}`, `${sign}probe-1`]),
  'probe-100',
  'a-probe-1',
]

/** Reads a template such as `instance=~"^NODE(:[0-9]+)?$", job="node"`; null if invalid. */
export function readMatchers(template: string): readonly Matcher[] | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(template)?.[1] ?? template
  const found: Matcher[] = []
  let rest = inner.trim()
  while (rest !== '') {
    const one = /^([a-zA-Z_:][\w:]*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(?:,\s*|$)/s.exec(rest)
    if (one === null) return null
    const [all, name = '', sign = '', quoted = ''] = one
    found.push({ name, value: unquoted(quoted), isRegex: sign.endsWith('~'), isEqual: !sign.startsWith('!') })
    rest = rest.slice(all.length)
  }
  return found.length === 0 ? null : found
}

/** `names`: the allowed placeholders, all missing or only in an exclusion. */
export type NoTemplate =
  | { readonly code: 'NoMatchers'; readonly template: string }
  | { readonly code: 'NameExcluded'; readonly template: string; readonly names: readonly string[] }
  | { readonly code: 'NameMissing'; readonly template: string; readonly names: readonly string[] }
  | { readonly code: 'MatchesOthers'; readonly template: string }
  | { readonly code: 'NoRegularExpression'; readonly template: string }

/** Why a template is refused, as when it would silence other nodes or instances; null if it is usable. */
export function whyNoTemplate(template: string, kind: TemplateKind): NoTemplate | null {
  const names = PLACEHOLDERS[kind]
  const matchers = readMatchers(template)
  if (matchers === null) return { code: 'NoMatchers', template }
  const own = matchers.filter(({ value }) => names.some(name => value.includes(name)))
  if (own.some(({ isEqual }) => !isEqual)) return { code: 'NameExcluded', template, names }
  if (own.length === 0) return { code: 'NameMissing', template, names }
  const probe = (value: string) => filled(matchers, { node: value, instances: [{ id: value, name: value }] })
  try {
    for (const { name, value, isRegex } of probe('probe-1')) {
      if (!isRegex || !own.some(each => each.name === name)) continue
      const regex = new RegExp(`^(?:${value})$`)
      if (OTHERS.some(text => regex.test(text))) {
        return { code: 'MatchesOthers', template }
      }
    }
  } catch {
    return { code: 'NoRegularExpression', template }
  }
  return null
}

export function silencesOf(
  templates: { readonly nodeMatchers: readonly string[]; readonly instanceMatchers: readonly string[] },
  what: { readonly node: string; readonly instances: readonly SilencedInstance[] },
): readonly (readonly Matcher[])[] {
  const { node } = what
  const named = what.instances
    .filter(({ id, name }) => id !== '' && name !== '')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const groups = Array.from({ length: Math.ceil(named.length / MOST_NAMES) }, (_, at) =>
    named.slice(at * MOST_NAMES, (at + 1) * MOST_NAMES),
  )
  const read = (template: string) => readMatchers(template) ?? []
  return [
    ...templates.nodeMatchers.map(read).map(matchers => filled(matchers, { node, instances: [] })),
    ...templates.instanceMatchers
      .map(read)
      .flatMap(matchers => groups.map(instances => filled(matchers, { node, instances }))),
  ].filter(matchers => matchers.length > 0)
}

/** A silence in Alertmanager's notation: `{instance=~"cmp-1(:[0-9]+)?"}`. */
export function matcherText(matchers: readonly Matcher[]): string {
  const one = ({ name, value, isRegex, isEqual }: Matcher) =>
    `${name}${isEqual ? (isRegex ? '=~' : '=') : isRegex ? '!~' : '!='}${JSON.stringify(value)}`
  return `{${matchers.map(one).join(', ')}}`
}

function filled(
  matchers: readonly Matcher[],
  { node, instances }: { readonly node: string; readonly instances: readonly SilencedInstance[] },
): readonly Matcher[] {
  return matchers.map(matcher => {
    const values = new Map([
      ['NODE', [node]],
      ['INSTANCE_NAME', [...new Set(instances.map(({ name }) => name))]],
      ['INSTANCE_ID', instances.map(({ id }) => id)],
    ])
    const used = [...values].filter(([name]) => matcher.value.includes(name))
    if (used.length === 0) return matcher
    // Several names need a regular expression, even if the template has none.
    const many = used.some(([, list]) => list.length > 1)
    const isRegex = matcher.isRegex || many
    const value = matcher.value.split(/(NODE|INSTANCE_NAME|INSTANCE_ID)/).map(part => {
      const list = values.get(part)
      if (list === undefined) return isRegex && !matcher.isRegex ? escaped(part) : part
      if (!isRegex) return list[0] ?? ''
      return list.length === 1 ? escaped(list[0] ?? '') : `(?:${list.map(escaped).join('|')})`
    })
    return { ...matcher, isRegex, value: value.join('') }
  })
}

/** Escapes as Go's regexp.QuoteMeta, in whose syntax Alertmanager reads it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, sign => `\\${sign}`)
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, sign: string) =>
    sign === 'n' ? '\n' : sign === '"' || sign === '\\' ? sign : `\\${sign}`,
  )
}
