import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOpenStackSession } from '../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../main/adapters/openstack/openstack-port.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { fitTogether, placeForecast } from '../../../main/procedures/steps/compute/forecast.ts'
import { type Destinations, readDestinations } from '../../../main/procedures/steps/compute/read-destinations.ts'
import { startOpenStackSimulator } from '../../../main/wings/simulators/openstack/openstack-simulator.ts'
import type { OpenStackSeed } from '../../../main/wings/simulators/openstack/seed.ts'
import type { MoveWay } from '../../../shared/domain/move-obstacles.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { NOVA_SPOKEN } from '../../../shared/domain/version-evidence.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { tries } from '../../fixtures/tries.ts'
import { until } from '../../unit/wings/simulators/openstack/small-cloud.ts'

/** The kinds of instance, beside a small one: each as Nova reports it. */
const KINDS: Readonly<Record<string, { readonly specs?: Record<string, string>; readonly server?: Partial<Server> }>> =
  {
    plain: {},
    accelerated: { specs: { 'accel:device_profile': 'fpga' } },
    acceleratedPort: { server: { vnicTypes: ['normal', 'accelerator-direct'] } },
    encryptedMemory: { specs: { 'hw:mem_encryption': 'true' } },
    tpm: { specs: { 'hw:tpm_version': '2.0' } },
    hostTpm: { specs: { 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'host' } },
    device: { specs: { 'pci_passthrough:alias': 'nic:1' } },
    vgpu: { specs: { 'resources:VGPU': '1' } },
    vdpa: { server: { vnicTypes: ['vdpa'] } },
    pinned: { specs: { 'hw:cpu_policy': 'dedicated' } },
    pages: { specs: { 'hw:mem_page_size': '1GB' } },
    local: { server: { bootFromVolume: false } },
    shared: { server: { multiattach: true } },
    secure: { specs: { 'os:secure_boot': 'required' } },
    gold: { specs: { 'trait:CUSTOM_GOLD': 'required' } },
    notGold: { specs: { 'trait:CUSTOM_GOLD': 'forbidden' } },
    nowhere: { specs: { 'trait:HW_CPU_X86_AVX512F': 'required' } },
    apart: { server: { group: 'apart' } },
    together: { server: { group: 'together' } },
    zoned: { server: { pinnedZone: 'az1' } },
    beside: { server: { schedulerHints: { same_host: ['elsewhere'] } } },
    apartFrom: { server: { schedulerHints: { different_host: ['elsewhere'] } } },
  }

type Server = OpenStackSeed['servers'][number]

interface Drawn {
  readonly kinds: readonly string[]
  readonly nova: number
  readonly way: MoveWay
  readonly memoryMib: readonly [number, number, number]
  /** Whether the operator enabled the filters of hints. */
  readonly hintsBind: boolean
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kinds: fc.array(fc.constantFrom(...Object.keys(KINDS)), { minLength: 1, maxLength: 6 }),
  nova: fc.constantFrom(72, 79, 93, 96, 100, 103),
  way: fc.constantFrom('live' as const, 'cold' as const),
  memoryMib: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(2048, 4096, 65_536))) as fc.Arbitrary<
    [number, number, number]
  >,
  hintsBind: fc.boolean(),
})

function seedOf({ kinds, memoryMib, hintsBind }: Drawn): OpenStackSeed {
  return {
    region: 'RegionOne',
    users: [{ name: 'admin', password: 'secret-a', project: 'admin', role: 'admin' }],
    flavors: Object.entries(KINDS).map(([name, { specs }]) => ({
      name,
      vcpus: 1,
      ramMib: 2048,
      diskGib: 10,
      ...(specs === undefined ? {} : { extraSpecs: specs }),
    })),
    hosts: [
      { name: 'cmp-1', zone: 'az1', resources: { VGPU: 6, PCPU: 16, MEM_ENCRYPTION_CONTEXT: 8 } },
      { name: 'cmp-2', zone: 'az1', memoryMib: memoryMib[0], resources: { VGPU: 1, PCPU: 2 }, traits: ['CUSTOM_GOLD'] },
      {
        name: 'cmp-3',
        zone: 'az2',
        memoryMib: memoryMib[1],
        resources: { PCPU: 1, MEM_ENCRYPTION_CONTEXT: 1 },
        traits: ['COMPUTE_SECURITY_TPM_2_0', 'COMPUTE_SECURITY_UEFI_SECURE_BOOT'],
      },
      { name: 'cmp-4', zone: 'az1', memoryMib: memoryMib[2], traits: ['COMPUTE_SECURITY_TPM_2_0'] },
    ],
    controllers: ['ctl-1'],
    serverGroups: [
      { name: 'apart', policy: 'anti-affinity' },
      { name: 'together', policy: 'affinity' },
    ],
    liveMigratableAliases: ['nic:1'],
    filters: hintsBind ? ['SameHostFilter', 'DifferentHostFilter'] : [],
    servers: [
      { name: 'elsewhere', host: 'cmp-4', flavor: 'plain', bootFromVolume: true },
      ...kinds.map((kind, number) => ({
        name: `${kind}-${number}`,
        host: 'cmp-1',
        flavor: kind,
        bootFromVolume: true,
        ...KINDS[kind]?.server,
      })),
    ],
  }
}

async function cloudOf(asked: Drawn) {
  const simulator = await startOpenStackSimulator({
    clock: systemClock,
    seed: seedOf(asked),
    timings: { speed: 2000 },
    computeMaxMicroversion: `2.${asked.nova}`,
  })
  const session = valueIn(
    await openOpenStackSession({
      cloud: {
        name: 'moves',
        authUrl: simulator.authUrl,
        auth: {
          kind: 'password',
          user: { name: 'admin', domainName: 'Default' },
          password: 'secret-a',
          scope: { kind: 'project', project: { name: 'admin', domainName: 'Default' } },
        },
        regionName: null,
        interface: 'public',
        caCertPath: null,
        insecure: false,
        clientCert: null,
        endpointOverrides: {},
      },
      clock: systemClock,
      log: silentLogger,
      environment: {},
    }),
  )
  const openstack = createOpenStackPort({ session })
  const versions = async () => ({ [NOVA_SPOKEN]: `microversion 2.${asked.nova}` })
  return {
    openstack,
    close: async () => {
      await session.close()
      await simulator.stop()
    },
    onSource: async () => valueIn(await openstack.instancesOnHost('cmp-1')).items,
    weighed: async (instances: readonly Instance[]): Promise<Destinations> => {
      const services = valueIn(await openstack.computeServices())
      const leaving = instances.map(instance => ({ instance, way: asked.way }))
      const source = { host: 'cmp-1', zone: 'az1' }
      const { known, unread } = await readDestinations({ source, services, leaving }, { openstack, versions })
      expect(unread).toEqual([])
      return known
    },
    /** Where it is once Nova is through with what was asked; a refusal leaves it where it was. */
    moved: async ({ id }: Instance): Promise<string | null> => {
      const answer = await (asked.way === 'live' ? openstack.liveMigrate(id, null) : openstack.coldMigrate(id, null))
      if (!answer.ok) {
        expect(['bad-input', 'conflict']).toContain(answer.failure.code)
        return 'cmp-1'
      }
      const through = async () => valueIn(await openstack.getInstance(id))
      const done = await until(through, ({ taskState }) => taskState === null)
      if (done.status === 'VERIFY_RESIZE') {
        valueIn(await openstack.confirmResize(id))
        await until(through, ({ status }) => status === 'ACTIVE')
      }
      return (await through()).host
    },
  }
}

/** Notes that leave open whether it moves: conditions, what Nova alone knows, hints, and (before 2.96) whether it is pinned to its zone. */
const isOpen = (instance: Instance, known: Destinations, { hintsBind }: Drawn) =>
  (instance.pinnedZone === undefined && instance.name.startsWith('zoned')) ||
  (hintsBind && /^(beside|apartFrom)/.test(instance.name)) ||
  (known.obstacles.get(instance.id) ?? []).some(({ verdict }) => /only-if|nova-knows/.test(verdict.kind))

test('what a plan says cannot move is refused by Nova, and what it says moves is taken, to a host that it named', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async asked => {
      const cloud = await cloudOf(asked)
      try {
        for (const { id, name } of await cloud.onSource()) {
          const here = await cloud.onSource()
          // Groups and room are as those before it left them.
          const known = await cloud.weighed(here)
          const instance = here.find(each => each.id === id)
          if (instance === undefined) throw new Error(`${name} left without a request`)
          const { mayGoTo } = placeForecast(instance, known)
          const open = isOpen(instance, known, asked)
          const host = await cloud.moved(instance)
          const reported = { name, mayGoTo, open, host }
          if (mayGoTo.length === 0) expect(reported).toMatchObject({ host: 'cmp-1' })
          else if (!open)
            expect([reported.host, ...mayGoTo].indexOf(reported.host, 1), JSON.stringify(reported)).toBeGreaterThan(0)
          else expect(['cmp-1', ...mayGoTo], JSON.stringify(reported)).toContain(host)
          if (asked.hintsBind && name.startsWith('beside')) expect(['cmp-1', 'cmp-4']).toContain(host)
          if (asked.hintsBind && name.startsWith('apartFrom')) expect(host).not.toBe('cmp-4')
        }
      } finally {
        await cloud.close()
      }
    }),
    { numRuns: tries(12, 200) },
  )
})

test('of instances that do not fit together Nova never takes all', async () => {
  const some = {
    nova: 93,
    way: 'live' as const,
    hintsBind: false,
    kinds: ['plain', 'plain', 'plain', 'local', 'apart', 'zoned'],
  }
  const verdicts = new Set<string>()
  for (const memoryMib of [
    [2048, 2048, 2048],
    [2048, 4096, 2048],
    [65_536, 65_536, 65_536],
  ] as const) {
    const cloud = await cloudOf({ ...some, memoryMib })
    try {
      const all = await cloud.onSource()
      const { kind } = fitTogether(all, await cloud.weighed(all))
      verdicts.add(kind)
      for (const instance of all) await cloud.moved(instance)
      if (kind === 'does-not-fit') expect(await cloud.onSource()).not.toEqual([])
      // With room for all on each of them the order does not matter.
      if (memoryMib[0] === 65_536) expect({ kind, left: await cloud.onSource() }).toEqual({ kind: 'fits', left: [] })
    } finally {
      await cloud.close()
    }
  }
  expect(verdicts).toContain('does-not-fit')
})
