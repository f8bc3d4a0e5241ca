import { z } from 'zod'
import { clearFaults, setFaults } from '../lab/roles/lab-console.ts'

/**
 * How long each live migration takes in the lab's hypervisor, by `--seconds N` (10 by default), as for an instance of some GiB; the hypervisor reports
 * its progress. With 0 the fake hypervisor moves at once, unlike a real one.
 */
const SECONDS = z.coerce
  .number()
  .nonnegative()
  .parse(process.argv.find((_, at, all) => all[at - 1] === '--seconds') ?? 10)

/** Runs `work` while every live migration takes that long. */
export async function withMigrationsOfSeconds(work: () => Promise<void>): Promise<void> {
  await setFaults({ '*': { delay: SECONDS } })
  console.log(`each live migration is under way for ${SECONDS} s`)
  try {
    await work()
  } finally {
    await clearFaults()
  }
}
