/** The parsed value of a flag: true for a switch, a number for counts and durations (in milliseconds). */
export type FlagReading = string | number | true

/** What the operator typed, checked against the command table. */
export class ParsedArguments {
  readonly operands: Readonly<Record<string, string>>
  /** Every word of the operand that takes several, as typed. */
  readonly several: readonly string[]
  readonly #flags: ReadonlyMap<string, readonly FlagReading[]>

  constructor(
    operands: Readonly<Record<string, string>>,
    flags: ReadonlyMap<string, readonly FlagReading[]>,
    several: readonly string[] = [],
  ) {
    this.operands = operands
    this.several = several
    this.#flags = flags
  }

  isSet(flag: string): boolean {
    return this.#flags.has(flag)
  }

  /** The text of a flag; null when it was not given. */
  text(flag: string): string | null {
    const value = this.#flags.get(flag)?.at(-1)
    return typeof value === 'string' ? value : null
  }

  texts(flag: string): readonly string[] {
    return (this.#flags.get(flag) ?? []).filter(value => typeof value === 'string')
  }

  /** The number of a counting flag, or milliseconds of a duration; null when it was not given. */
  number(flag: string): number | null {
    const value = this.#flags.get(flag)?.at(-1)
    return typeof value === 'number' ? value : null
  }

  with(flag: string): ParsedArguments {
    return new ParsedArguments(this.operands, new Map([...this.#flags, [flag, [true] as const]]), this.several)
  }

  /** An operand that the command's table requires. */
  operand(name: string): string {
    const value = this.operands[name]
    if (value === undefined) throw new Error(`Broken invariant: the command table requires the operand ${name}`)
    return value
  }
}
