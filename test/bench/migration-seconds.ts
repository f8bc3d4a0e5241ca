import { z } from 'zod'
import { clearFaults, setFaults } from '../lab/roles/lab-console.ts'

/**
 * How long each live migration is under way in the lab's hypervisor, by `--seconds N` (10 without it): an instance of some GiB takes so long, and its
 * progress is told meanwhile. With 0 the fake hypervisor moves at once, which no real one does.
 */
const SECONDS = z.coerce
  .number()
  .nonnegative()
  .parse(process.argv.find((_, at, all) => all[at - 1] === '--seconds') ?? 10)

/** Works while every live migration takes that long. */
export async function withMigrationsOfSeconds(work: () => Promise<void>): Promise<void> {
  await setFaults({ '*': { delay: SECONDS } })
  console.log(`each live migration is under way for ${SECONDS} s`)
  try {
    await work()
  } finally {
    await clearFaults()
  }
}
