import { accessSync, constants, statSync } from 'node:fs'
import type { Result } from '../../../shared/domain/result.ts'
import { systemClock } from '../clock/clock.ts'
import { printWithChromium } from './print-with-chromium.ts'

/** Prints with the browser of this very machine, for the faces that run as a process of it. */
export function machinePrinter(): (html: string) => Promise<Result<Uint8Array>> {
  return printWithChromium({
    machine: { platform: process.platform, env: process.env, isProgram },
    clock: systemClock,
    isRoot: process.getuid?.() === 0,
  })
}

/** Whether this is a file of this machine that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
