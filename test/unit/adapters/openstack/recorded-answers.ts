import { readFileSync } from 'node:fs'

const EXAMPLES = readFileSync(new URL('../../../lab/openstack/API-EXAMPLES.md', import.meta.url), 'utf8')

/** The JSON that the real services answered under a heading of test/lab/openstack/API-EXAMPLES.md; what was cut from its lists is dropped. */
export function recordedAnswer(heading: string): unknown {
  const start = EXAMPLES.indexOf(`### ${heading}\n`)
  if (start < 0) throw new Error(`no recorded answer under "${heading}"`)
  const section = EXAMPLES.slice(start, EXAMPLES.indexOf('\n### ', start + 1))
  const answer = section.split('```http\n').find(block => block.startsWith('HTTP '))
  const body = answer?.slice(answer.indexOf('\n\n') + 2, answer.indexOf('\n```'))
  if (body === undefined) throw new Error(`no answer under "${heading}"`)
  return JSON.parse(body, (_key, value: unknown) =>
    Array.isArray(value) ? value.filter(each => !(typeof each === 'string' && /^\.\.\. \d+ more$/.test(each))) : value,
  )
}
