import { describe, expect, it } from 'vitest'
import {
  DEFAULT_MAINTENANCE_API,
  MaintenanceApiSettings,
  withLaterSettings,
} from '../../../shared/domain/maintenance-api.ts'

describe('the settings of a cluster that an earlier version registered', () => {
  const { stacklightNamespace: _namespace, controllers, ...rest } = DEFAULT_MAINTENANCE_API
  const { stacklight: _stacklight, ...known } = controllers

  it('are read, and the cluster has no StackLight to answer for', () => {
    const kept = { ...rest, computeMax: 7, controllers: { ...known, ceph: 'console' } }
    expect(MaintenanceApiSettings.parse(withLaterSettings(kept))).toEqual({
      ...DEFAULT_MAINTENANCE_API,
      computeMax: 7,
      controllers: { ...controllers, ceph: 'console' },
    })
  })

  it('what was set since stays', () => {
    const kept = { ...DEFAULT_MAINTENANCE_API, controllers: { ...controllers, stacklight: 'console' } }
    expect(withLaterSettings(kept)).toEqual(kept)
  })

  it('what is not settings at all does not become settings', () => {
    expect(MaintenanceApiSettings.safeParse(withLaterSettings({ computeMax: 7 })).success).toBe(false)
  })
})
