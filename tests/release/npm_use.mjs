// SPDX-License-Identifier: Apache-2.0
// What the npm package answers, as lines: run by Node.js and by a page, and compared with the native tool. `questions` are
// poses (seven numbers each) and scenes; each scene is stepped half a second.
export async function answers(load, source, { poses, pairs, scenes }) {
  const abut = await load(source);
  const lines = [];
  for (const [a, b] of pairs) {
    const first = abut.body(a);
    const second = abut.body(b);
    for (const [x, y, z, ...rotation] of poses) {
      const gap = abut.distance(first, second, { position: [x, y, z], rotation });
      lines.push([a, b, gap.outcome, gap.distance, ...gap.point_a].join(" "));
    }
    first.free();
    second.free();
  }
  for (const scene of scenes) {
    const world = abut.world(scene);
    world.step(Math.round(0.5 / world.timeStep));
    lines.push(`${scene} ${world.hash}`);
    world.free();
  }
  return lines;
}
