import { Fragment, type ReactNode } from 'react'

/** A part of a sentence: as it stands, a command or a value to be typed, or an id. */
type SaidPart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'id'; readonly text: string }

/** What stands in backticks, UUIDs, and the ids of Keystone, which have no dashes. */
const SPECIAL = /`([^`]+)`|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/gi

/** A sentence of main in its parts, so that ids do not drown the names and backticks are not read aloud. */
export function saidParts(sentence: string): readonly SaidPart[] {
  const parts: SaidPart[] = []
  let end = 0
  for (const match of sentence.matchAll(SPECIAL)) {
    if (match.index > end) parts.push({ kind: 'words', text: sentence.slice(end, match.index) })
    parts.push(match[1] === undefined ? { kind: 'id', text: match[0] } : { kind: 'code', text: match[1] })
    end = match.index + match[0].length
  }
  if (end < sentence.length) parts.push({ kind: 'words', text: sentence.slice(end) })
  return parts
}

/** `6f1c…09ab`: an id without its middle. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`
}

/** A sentence as an operator reads it: ids without their middle, whole on hover; what is typed set as such. */
export function Said({ text }: { readonly text: string }): ReactNode {
  return saidParts(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence never changes its order.
    <Fragment key={at}>
      {part.kind === 'words' ? (
        part.text
      ) : part.kind === 'code' ? (
        <code>{part.text}</code>
      ) : (
        <abbr className="said-id mono" title={part.text}>
          {shortId(part.text)}
        </abbr>
      )}
    </Fragment>
  ))
}
