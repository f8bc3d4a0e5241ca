/** The name of an instance, and a note such as its project; null if unknown. */
export type InstanceNames = (id: string) => { readonly name: string; readonly of: string | null } | null

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OWNERS =
  /Notify owners of the following servers?: (\[[^\]]*\])\.?(?: Servers with unset maintenance action: (\[[^\]]*\])\.?)?/
/** Lockkeeper's own controllers name the ids of a list with this sentence (main/lcm/controllers/openstack-instances.ts). */
const THEY_ARE = new RegExp(
  String.raw` They are (?:[^()]+? \(${ID}\)(?: of project [^\s,.]+)?(?:, )?)+(?: and \d+ more)?\.`,
  'i',
)
const LABEL = new RegExp(String.raw`(?:They are |, )([^(),]+?) \((${ID})\)`, 'gi')

/**
 * A lock's text for people: each instance once, by its name. Controllers write lists of ids; Lockkeeper's add the names. Ids whose name is
 * neither in `names` nor in the text stay.
 */
export function lockTextWords(text: string, names: InstanceNames): string {
  const sentence = THEY_ARE.exec(text)?.[0] ?? ''
  const reported = new Map(
    [...sentence.matchAll(LABEL)].map(([, name = '', id = '']) => [id.toLowerCase(), { name, of: null }] as const),
  )
  const whoIs = (id: string) => names(id) ?? reported.get(id.toLowerCase()) ?? null
  const words = (id: string, more: readonly string[] = []) => {
    const who = whoIs(id)
    const added = [...(who === null || who.of === null ? [] : [who.of]), ...more]
    return `${who?.name ?? id}${added.length === 0 ? '' : ` (${added.join(', ')})`}`
  }
  const lists = text.replace(sentence, '').replace(OWNERS, (_all, owners: string, unset: string | undefined) => {
    const unmarked = idsIn(unset ?? '')
    const listed = idsIn(owners).map(id => words(id, unmarked.includes(id) ? ['no action set'] : []))
    return `Notify the owners of ${listed.join(', ')}.`
  })
  return lists
    .replace(new RegExp(String.raw`(\S) \((${ID})\)`, 'gi'), (all, last: string, id: string, at: number) => {
      // `vm-01 (id)` already has the name, so the note takes the place of the id.
      const who = names(id)
      if (who === null) return last
      const before = lists.slice(0, at + 1)
      return before.endsWith(who.name) ? `${last}${who.of === null ? '' : ` (${who.of})`}` : all
    })
    .replace(new RegExp(ID, 'gi'), id => words(id))
}

function idsIn(list: string): readonly string[] {
  return [...new Set(list.match(new RegExp(ID, 'gi')) ?? [])]
}
