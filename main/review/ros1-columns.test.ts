import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg-serialization";
import { expect, test } from "vitest";
import { ColumnTree } from "./objects";
import { ros1Numbers } from "./ros1-columns";

const SEPARATOR = `${"=".repeat(80)}\n`;
const definition =
  "Header header\nuint8 LIMIT=3\nstring[] names\nfloat64[3] fixed\nfloat32[] many\nbool flag\nint64 big\n" +
  `duration wait\ntime[2] stamps\nPoint[] points\nPoint single\n${SEPARATOR}MSG: std_msgs/Header\nuint32 seq\n` +
  `time stamp\nstring frame_id\n${SEPARATOR}MSG: test/Point\nstring label\nint16 x\nuint16 y\n`;

const message = {
  header: { seq: 7, stamp: { sec: 1_700_000_000, nsec: 5 }, frame_id: "world" },
  names: ["a", "", "longer name"],
  fixed: [1.5, -2.5, 3.5],
  many: [1, 2, 3, 4],
  flag: true,
  big: -5n,
  wait: { sec: -1, nsec: 2 },
  stamps: [
    { sec: 1, nsec: 2 },
    { sec: 3, nsec: 4 },
  ],
  points: [
    { label: "p", x: -7, y: 8 },
    { label: "", x: 9, y: 10 },
  ],
  single: { label: "s", x: 11, y: 12 },
};

test("numbers read in place are those of the full decoder, past every kind of varying part", () => {
  const parsed = parse(definition);
  const bytes = new MessageWriter(parsed).writeMessage(message);
  const direct = new ColumnTree(1, null);
  ros1Numbers(definition)(bytes, direct, 0);
  const viaObject = new ColumnTree(1, null);
  viaObject.add(0, new MessageReader(parsed).readMessage(bytes));
  const values = (tree: ColumnTree): Record<string, number | undefined> =>
    Object.fromEntries([...tree.columns].map(([path, column]) => [path, column[0]]));
  const full = values(viaObject);
  // Arrays whose length varies, and arrays of times, are data and not fields when read in place.
  const fixed = Object.entries(full).filter(([path]) => !/^(many|stamps)\[/.test(path));
  expect(values(direct)).toEqual(Object.fromEntries(fixed));
  expect(full["points[1].x"]).toBe(9);
  expect(full["single.y"]).toBe(12);
});

test("a message cut anywhere ends quietly", () => {
  const bytes = new MessageWriter(parse(definition)).writeMessage(message);
  const read = ros1Numbers(definition);
  for (let length = 0; length < bytes.length; length++) {
    const tree = new ColumnTree(1, null);
    read(bytes.subarray(0, length), tree, 0);
    expect(tree.columns.size).toBeLessThanOrEqual(30);
  }
});
