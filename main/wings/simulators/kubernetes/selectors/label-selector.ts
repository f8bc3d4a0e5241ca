import { badRequest, granted, type Outcome, refused } from '../store/api-status.ts'
import { at, isJsonObject, type Json, listAt, textAt, textsAt } from '../store/json.ts'

type Labels = Readonly<Record<string, string>>

type LabelTest = (labels: Labels) => boolean

/** Parses `labelSelector`: `=`, `==`, `!=`, `in`, `notin`, `key`, `!key`, joined by commas (apimachinery labels.Parse). */
export function parseLabelSelector(text: string): Outcome<LabelTest> {
  const tests: LabelTest[] = []
  for (const part of splitOutsideParentheses(text)) {
    const test = requirement(part.trim())
    if (test === null) return refused(badRequest(`unable to parse requirement: ${part.trim()}`))
    tests.push(test)
  }
  return granted(labels => tests.every(test => test(labels)))
}

/** Whether labels match the `selector` of an object. A null or invalid one selects nothing, an empty one everything (docs/drain.md 5.5). */
export function selectorMatches(selector: Json | undefined, labels: Labels): boolean {
  if (!isJsonObject(selector)) return false
  const wanted = Object.entries(textsAt(selector, 'matchLabels'))
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listAt(selector, 'matchExpressions').every(expression => expressionMatches(expression, labels))
  )
}

/** Whether labels match one `matchExpressions` entry; node affinity also uses Gt and Lt. */
export function expressionMatches(expression: Json, labels: Labels): boolean {
  const key = textAt(expression, 'key') ?? ''
  const values = listAt(expression, 'values')
  const value = labels[key]
  switch (at(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}

/** Prints a selector as kubectl does: `app=x,tier in (a,b)`, or `<none>`. */
export function selectorText(selector: Json | undefined): string {
  const labels = Object.entries(textsAt(selector, 'matchLabels')).map(([key, value]) => `${key}=${value}`)
  const expressions = listAt(selector, 'matchExpressions').map(expression => {
    const key = textAt(expression, 'key') ?? ''
    const values = listAt(expression, 'values').join(',')
    switch (at(expression, 'operator')) {
      case 'Exists':
        return key
      case 'DoesNotExist':
        return `!${key}`
      case 'NotIn':
        return `${key} notin (${values})`
      default:
        return `${key} in (${values})`
    }
  })
  return [...labels.sort(), ...expressions].join(',') || '<none>'
}

const KEY = '[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?'
const COMPARISON = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*([A-Za-z0-9._-]*)$`)
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`)
const PRESENCE = new RegExp(`^(!?)\\s*(${KEY})$`)

function requirement(text: string): LabelTest | null {
  const comparison = COMPARISON.exec(text)
  if (comparison !== null) {
    const [, key = '', operator, value] = comparison
    return operator === '!=' ? labels => labels[key] !== value : labels => labels[key] === value
  }
  const set = SET.exec(text)
  if (set !== null) {
    const [, key = '', operator, list = ''] = set
    const values = list.split(',').map(value => value.trim())
    const among = (labels: Labels): boolean => labels[key] !== undefined && values.includes(labels[key])
    return operator === 'in' ? among : labels => !among(labels)
  }
  const presence = PRESENCE.exec(text)
  if (presence !== null) {
    const [, not, key = ''] = presence
    return not === '!' ? labels => labels[key] === undefined : labels => labels[key] !== undefined
  }
  return null
}

function splitOutsideParentheses(text: string): readonly string[] {
  if (text.trim() === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]
    if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}
