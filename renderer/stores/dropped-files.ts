import { create } from 'zustand'

/** Paths of files dropped on a page; the page that adds a cluster reads them. */
export const useDroppedFiles = create<{ readonly paths: readonly string[] }>(() => ({ paths: [] }))
