import type { LabelSelector } from '../../../shared/domain/kubernetes.ts'

/**
 * Whether a selector selects these labels, as current API servers decide for budgets: null and invalid ones select nothing, an empty
 * one everything (docs/drain.md 5.5).
 */
export function selects(selector: LabelSelector | null, labels: Readonly<Record<string, string>>): boolean {
  if (selector === null) return false
  const expressions = selector.matchExpressions ?? []
  if (!expressions.every(isValid)) return false
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    expressions.every(expression => holds(expression, labels))
  )
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

function isValid({ key, operator, values = [] }: Expression): boolean {
  if (key === '') return false
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
    default:
      return false
  }
}

function holds({ key, operator, values = [] }: Expression, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      // An absent label is not in the list either (apimachinery labels.Requirement).
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}
