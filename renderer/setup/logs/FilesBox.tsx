import { ChevronUp, File, Folder } from "lucide-react";
import { useState } from "react";
import type { VehicleFile } from "#contract/link-ipc";
import { useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Advice, Box, Word } from "../parts";
import css from "../Setup.module.css";
import { pickPath, useAnswer } from "../useStation";
import { byteText, childOf, parentOf } from "./progress";

/** The vehicle's own folders, read only. */
export function FilesBox() {
  const stores = useStores();
  const [path, setPath] = useState("/");
  const { asked, again } = useAnswer(() => stores.bridge.request("files.list", { path }), path);
  const download = async (name: string): Promise<void> => {
    const folder = await pickPath(stores, { kind: "folder", title: `Where ${name} goes` });
    if (folder === null) return;
    await tell(stores, stores.bridge.request("files.download", { path: childOf(path, name), folder }));
  };
  return (
    <Box title="Vehicle files" right={<span data-selectable>{path}</span>}>
      <div className={css.end}>
        <Button size="small" aria-disabled={path === "/"} onClick={() => setPath(parentOf(path))}>
          <ChevronUp size={14} aria-hidden /> Up
        </Button>
        <Button size="small" onClick={again}>
          Ask again
        </Button>
      </div>
      {asked.state === "waiting" && <Word tone="waiting">Asking the vehicle</Word>}
      {asked.state === "failed" && <Advice>{asked.reason}</Advice>}
      {asked.state === "ready" && asked.value.length === 0 && (
        <p className={css.note}>This folder is empty.</p>
      )}
      {asked.state === "ready" && (
        <ul className={css.list} aria-label={`Files in ${path}`}>
          {inOrder(asked.value).map((file) => (
            <li key={file.name}>
              <div className={css.item}>
                {file.directory ? <Folder size={14} aria-hidden /> : <File size={14} aria-hidden />}
                <b>{file.name}</b>
                <span>{file.directory ? "" : byteText(file.size)}</span>
                <Button
                  size="small"
                  onClick={() =>
                    file.directory ? setPath(childOf(path, file.name)) : void download(file.name)
                  }
                >
                  {file.directory ? "Open" : "Download"}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}

const inOrder = (files: readonly VehicleFile[]): readonly VehicleFile[] =>
  [...files].sort((a, b) => Number(b.directory) - Number(a.directory) || (a.name < b.name ? -1 : 1));
