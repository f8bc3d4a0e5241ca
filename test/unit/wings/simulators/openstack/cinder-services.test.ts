import { expect, it } from 'vitest'
import { createCinderServices } from '../../../../../main/wings/simulators/openstack/cinder-services.ts'
import { smallCloud } from './small-cloud.ts'

it('an embedded cinder-volume is disabled with a reason and enabled again, which clears it', async () => {
  const { simulator } = await smallCloud()
  const services = createCinderServices(simulator.state, ['ctl-1'])
  const volume = { binary: 'cinder-volume', host: 'ctl-1@ceph' }
  const disabled = services.change('disable-log-reason', {
    ...volume,
    disabled_reason: 'OSDPL: Node is under maintenance',
  })
  expect(disabled).toMatchObject({ status: 200, json: { disabled: true, status: 'disabled', host: 'ctl-1@ceph' } })
  expect(services.list(new URLSearchParams()).json).toMatchObject({
    services: [
      { binary: 'cinder-scheduler', status: 'enabled' },
      { binary: 'cinder-volume', status: 'disabled', disabled_reason: 'OSDPL: Node is under maintenance' },
    ],
  })
  expect(services.change('enable', volume)).toMatchObject({ json: { disabled: false, status: 'enabled' } })
  expect(services.list(new URLSearchParams()).json).toMatchObject({
    services: [{}, { status: 'enabled', disabled_reason: null }],
  })
  expect(services.change('enable', { ...volume, host: 'ctl-9@ceph' })).toMatchObject({ status: 404 })
})
