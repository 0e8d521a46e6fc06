import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { invariant } from "#contract/result";
import type { ArchiveDesk, ArchiveState } from "./desk";

export const ArchiveContext = createContext<ArchiveDesk | null>(null);

export function useArchive(): ArchiveDesk {
  const archive = useContext(ArchiveContext);
  invariant(archive !== null, "no archive above this component");
  return archive;
}
export const useArchiveState = <T>(select: (state: ArchiveState) => T): T =>
  useStore(useArchive().state, select);
