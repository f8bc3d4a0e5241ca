import { isJsonList, isJsonObject, type Json } from '../store/json.ts'

/**
 * Reads the value of an `additionalPrinterColumns` jsonPath with fields, indexes, `[*]` and `[?(@.field=="value")]`.
 * Undefined if there is no value or the path has another form.
 */
export function printerValue(object: Json, path: string): Json | undefined {
  let found: readonly Json[] = [object]
  for (const step of steps(path)) found = found.flatMap(value => follow(value, step))
  return found[0]
}

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'every' }
  | { readonly kind: 'where'; readonly field: string; readonly value: string }

const STEP =
  /\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]|\['([^']+)'\]/g

function steps(path: string): readonly Step[] {
  const plain = path.replaceAll('\\.', '\u0000')
  return [...plain.matchAll(STEP)].map(([, name, index, every, field, value, quoted]): Step => {
    if (index !== undefined) return { kind: 'index', index: Number(index) }
    if (every !== undefined) return { kind: 'every' }
    if (field !== undefined) return { kind: 'where', field, value: value ?? '' }
    return { kind: 'field', name: (name ?? quoted ?? '').replaceAll('\u0000', '.') }
  })
}

function follow(value: Json, step: Step): readonly Json[] {
  switch (step.kind) {
    case 'field': {
      const next = isJsonObject(value) ? value[step.name] : undefined
      return next === undefined ? [] : [next]
    }
    case 'index': {
      const next = isJsonList(value) ? value[step.index] : undefined
      return next === undefined ? [] : [next]
    }
    case 'every':
      return isJsonList(value) ? value : []
    case 'where':
      return isJsonList(value) ? value.filter(item => isJsonObject(item) && item[step.field] === step.value) : []
  }
}
