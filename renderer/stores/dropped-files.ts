import { create } from 'zustand'

/** Paths of files that were dropped on a page and not looked into yet; the page that adds a cluster takes them. */
export const useDroppedFiles = create<{ readonly paths: readonly string[] }>(() => ({ paths: [] }))
