/** Written before noout is set: value `reach`, `host` or `cluster`. Subject `ceph-host/<host>` or `ceph`. */
export const NOOUT_SET_REQUESTED = 'noout-set-requested'
/** Written before noout is removed; as {@link NOOUT_SET_REQUESTED}. */
export const NOOUT_UNSET_REQUESTED = 'noout-unset-requested'
/** Written before MicroCeph is asked to end a node's maintenance, which removes noout of all of Ceph. */
export const MICROCEPH_EXIT_REQUESTED = 'microceph-exit-requested'
