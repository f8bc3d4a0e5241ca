export const reasonsOfSignals = {}
