/** The scheme of links that open a page of the console, from a chat, a ticket or a report. */
export const LINK_SCHEME = 'lockkeeper'

/** A page that a link may ask for. Opening it is all that a link can do. */
export type Link =
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'window'; readonly id: string }
  | { readonly kind: 'cluster'; readonly name: string }

/** What a text that came as a link is. */
type ReadLink =
  | { readonly kind: 'link'; readonly link: Link }
  /** It asks for nothing that a link may ask for. */
  | { readonly kind: 'refused'; readonly why: string }

/** Longer than any link of ours, shorter than what could be a burden. */
const LONGEST = 200

/**
 * Reads `lockkeeper://run/ID`, `lockkeeper://window/ID` and `lockkeeper://cluster/NAME`, and nothing else: whoever writes a page, a mail or
 * a document writes links. The text itself is compared, since a parser of addresses would mend what is not ours into what is.
 */
export function readLink(text: string): ReadLink {
  if (text.length > LONGEST) return { kind: 'refused', why: `it is longer than ${LONGEST} characters` }
  const [, kind, name] = /^lockkeeper:\/\/([a-z]+)\/([^/]+)\/?$/.exec(text) ?? []
  if (kind === undefined || name === undefined)
    return { kind: 'refused', why: 'it is not of the form lockkeeper://run/ID' }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)) {
    return {
      kind: 'refused',
      why: 'its name has more in it than letters, digits, points, hyphens and underscores, or more than 63 of them',
    }
  }
  switch (kind) {
    case 'run':
    case 'window':
      return { kind: 'link', link: { kind, id: name } }
    case 'cluster':
      return { kind: 'link', link: { kind, name } }
    default:
      return { kind: 'refused', why: `a link opens a run, a window or a cluster, not "${kind}"` }
  }
}

/** Whether a word of a command line is meant as a link of ours, well formed or not. */
export function isLinkWord(word: string): boolean {
  return word.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`
}
