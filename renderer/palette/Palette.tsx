import { Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Action, createActions, searchActions } from "../shell/actions";
import { useStores, useUiStore } from "../stores/context";
import { Kbd } from "../ui/Button";
import css from "./Palette.module.css";

/** Ctrl+K. Never modal: HOLD, LAND and KILL stay reachable above it. */
export function Palette() {
  const stores = useStores();
  const open = useUiStore((ui) => ui.palette_open);
  const setOpen = (palette_open: boolean): void => stores.ui.setState({ palette_open });
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} modal={false}>
      <Dialog.Portal>
        <div className={css.shade} aria-hidden onClick={() => setOpen(false)} />
        <Dialog.Content className={css.palette} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Command palette</Dialog.Title>
          <Chooser actions={createActions(stores)} onDone={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ChooserProps {
  readonly actions: readonly Action[];
  readonly onDone: () => void;
}

function Chooser({ actions, onDone }: ChooserProps) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = searchActions(actions, query);
  const chosen = found[Math.min(at, found.length - 1)];
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const run = (action: Action): void => {
    onDone();
    action.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setAt((now) => (Math.min(now, found.length - 1) + move + found.length) % Math.max(1, found.length));
    }
    if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <>
      <div className={css.search}>
        <Search size={16} aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-label="Search actions"
          aria-activedescendant={chosen === undefined ? undefined : `palette-${chosen.id}`}
          placeholder="What do you want to do?"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div
        ref={list}
        id="palette-list"
        role="listbox"
        aria-label="Actions"
        className={css.list}
        tabIndex={-1}
      >
        {found.map((action) => (
          <div
            key={action.id}
            id={`palette-${action.id}`}
            role="option"
            aria-selected={action === chosen}
            className={css.option}
            onPointerMove={() => setAt(found.indexOf(action))}
            onClick={() => run(action)}
          >
            <span className={css.section}>{action.section}</span>
            <span>{action.title}</span>
            {action.keys !== "" && <Kbd>{action.keys}</Kbd>}
          </div>
        ))}
        {found.length === 0 && <p className={css.none}>No action has these words</p>}
      </div>
    </>
  );
}
