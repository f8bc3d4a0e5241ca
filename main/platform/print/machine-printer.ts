import { accessSync, constants, statSync } from 'node:fs'
import type { Result } from '../../../shared/domain/result.ts'
import { systemClock } from '../clock/clock.ts'
import { printWithChromium } from './print-with-chromium.ts'

/** Prints with the browser of this machine. */
export function machinePrinter(): (html: string) => Promise<Result<Uint8Array>> {
  return printWithChromium({
    machine: { platform: process.platform, env: process.env, isProgram },
    clock: systemClock,
    isRoot: process.getuid?.() === 0,
  })
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
