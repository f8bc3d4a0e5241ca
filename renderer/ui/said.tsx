import { Fragment, type ReactNode } from 'react'

/** A part of a sentence: plain text, a command or value to type, or an id. */
type SaidPart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'id'; readonly text: string }

/** Text in backticks, UUIDs, and the ids of Keystone, which have no dashes. */
const SPECIAL = /`([^`]+)`|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/gi

/** A message of main in parts, so that ids do not hide names and backticks are not read aloud. */
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

/** The name of the switch or button for a flag of the terminal; empty if the message names it already. */
const CONTROLS: Readonly<Record<string, string>> = {
  '--allow-data-loss': 'Why may local disks be lost?',
  '--allow-downtime': 'Accept the outage',
  '--backup-node': 'Backup node',
  '--ceph': '',
  '--cloud': 'clouds.yaml',
  '--clouds-yaml': 'clouds.yaml',
  '--cold-migration': 'Move stopped instances too',
  '--delete-emptydir-data': 'Delete emptyDir data',
  '--disable-instance-workload-rebalancing': 'Offer to spread instances again',
  '--disable-migration=cold': 'Ruled out: cold migration',
  '--disable-migration=live': 'Ruled out: live migration',
  '--exclude-instance': '',
  '--force': 'Start anyway',
  '--nova-for-rest': 'Move the rest through Nova',
  '--outside-window REASON': '',
  '--role-label': '',
  '--start-instances': 'Start instances that ran before',
  '--strategy nova': 'Emptied by: Lockkeeper, through Nova',
  '--window ID': '',
}

/** A flag with its value, and parentheses around it. */
const FLAG = /( ?)(\(?)(--[a-z][a-z-]*(?:=[a-z]+| (?:nova|ID|REASON)\b)?)(\)?)/g

/** A message of main for a screen: it names the switch or button instead of the terminal's flag. Commands in backticks stay. */
export function screenSentence(sentence: string): string {
  return sentence.replace(/`[^`]*`|[^`]+/g, part =>
    part.startsWith('`')
      ? part
      : part.replace(FLAG, (whole, space: string, opening: string, flag: string, closing: string) => {
          const control = CONTROLS[flag]
          if (control === undefined) return whole
          return control === '' ? '' : `${space}${opening}“${control}”${closing}`
        }),
  )
}

/** `6f1c…09ab`: an id without its middle. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`
}

/** A message for operators: ids without their middle, whole on hover; commands in mono. */
export function Said({ text }: { readonly text: string }): ReactNode {
  return saidParts(screenSentence(text)).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes its order.
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
