/** The scheme of links in chats, tickets and reports that open a page of the console. */
export const LINK_SCHEME = 'lockkeeper'

/** A page that a link may open. A link can do nothing else. */
export type Link =
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'window'; readonly id: string }
  | { readonly kind: 'cluster'; readonly name: string }

type ReadLink =
  | { readonly kind: 'link'; readonly link: Link }
  /** The text is not a valid link. */
  | { readonly kind: 'refused'; readonly why: string }

/** Longer than any valid link. */
const LONGEST = 200

/** Reads only `lockkeeper://run/ID`, `lockkeeper://window/ID` and `lockkeeper://cluster/NAME`. Anyone can write links, so the raw text is compared: a URL parser would turn invalid links into valid ones. */
export function readLink(text: string): ReadLink {
  if (text.length > LONGEST) return { kind: 'refused', why: `it is longer than ${LONGEST} characters` }
  const [, kind, name] = /^lockkeeper:\/\/([a-z]+)\/([^/]+)\/?$/.exec(text) ?? []
  if (kind === undefined || name === undefined)
    return { kind: 'refused', why: 'it is not of the form lockkeeper://run/ID' }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)) {
    return {
      kind: 'refused',
      why: 'its name has other characters than letters, digits, dots, hyphens and underscores, or more than 63 of them',
    }
  }
  switch (kind) {
    case 'run':
    case 'window':
      return { kind: 'link', link: { kind, id: name } }
    case 'cluster':
      return { kind: 'link', link: { kind, name } }
    default:
      return { kind: 'refused', why: `a link opens a run, a window or a cloud, not "${kind}"` }
  }
}

/** Whether a word of a command line is meant as such a link, valid or not. */
export function isLinkWord(word: string): boolean {
  return word.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`
}
