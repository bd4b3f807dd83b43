// SPDX-License-Identifier: Apache-2.0
// Simulators as WebAssembly behind the pipe of bench/sim_pipe.c. Usage: node simulate.mjs jolt|havok
// They compute in single precision and keep their own settings; nothing sleeps, nothing is damped. Contact forces are not read. Masses are scaled so
// that the lightest body has 1 kg, for which they are made; that changes no motion.
import { createInterface } from 'node:readline'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const list = (v) => [v.GetX(), v.GetY(), v.GetZ()]

// Quaternion x, y, z, w that turns `from` into `to`, both of length 1.
function between(from, to) {
    const dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2]
    if (dot < -0.999999) return [0, 0, 1, 0]
    const c = [from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2], from[0] * to[1] - from[1] * to[0]]
    const n = Math.hypot(...c, 1 + dot)
    return [...c.map((x) => x / n), (1 + dot) / n]
}

// A large box whose top is the ground.
const SIDE = 50
function groundBox(scene) {
    const n = scene.normal, depth = scene.offset - 1
    const q = between([0, 0, 1], n)
    return { size: [SIDE, SIDE, 1], pose: [n[0] * depth, n[1] * depth, n[2] * depth, q[3], q[0], q[1], q[2]] }
}

// Each: open(scene) gives { step(dt), read() -> [position, quaternion w x y z, velocity, spin] per body }, or throws.
async function jolt(scene) {
    const J = await (await import('jolt-physics/wasm-compat')).default()
    const settings = new J.JoltSettings()
    const pairs = new J.ObjectLayerPairFilterTable(2), layers = new J.BroadPhaseLayerInterfaceTable(2, 2)
    pairs.EnableCollision(0, 1)
    pairs.EnableCollision(1, 1)
    layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0))
    layers.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1))
    settings.mObjectLayerPairFilter = pairs
    settings.mBroadPhaseLayerInterface = layers
    settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2)
    const world = new J.JoltInterface(settings), system = world.GetPhysicsSystem(), bodies = system.GetBodyInterface()
    system.SetGravity(new J.Vec3(...scene.gravity))
    const hull = (points) => {
        const def = new J.ConvexHullShapeSettings()
        for (let i = 0; i < points.length; i += 3) def.mPoints.push_back(new J.Vec3(points[i], points[i + 1], points[i + 2]))
        def.mMaxConvexRadius = 0.001
        return def.Create().Get()
    }
    const shapes = {
        box: (b) => new J.BoxShape(new J.Vec3(...b.size), 0.05 * Math.min(...b.size)),
        ball: (b) => new J.SphereShape(b.size[0]),
        hull: (b) => hull(b.points),
    }
    const add = (b, shape, moving) => {
        const [x, y, z, qw, qx, qy, qz] = b.pose
        const kind = moving ? J.EMotionType_Dynamic : J.EMotionType_Static
        const def = new J.BodyCreationSettings(shape, new J.RVec3(x, y, z), new J.Quat(qx, qy, qz, qw), kind, moving ? 1 : 0)
        def.mFriction = scene.friction
        def.mRestitution = 0
        if (moving) {
            def.mAllowSleeping = false
            def.mLinearDamping = def.mAngularDamping = 0
            def.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia
            def.mMassPropertiesOverride.mMass = b.mass
        }
        const body = bodies.CreateBody(def)
        bodies.AddBody(body.GetID(), J.EActivation_Activate)
        return body
    }
    for (const b of [groundBox(scene), ...scene.walls]) add(b, shapes.box({ size: b.size }), false)
    const parts = scene.bodies.map((b) => add(b, shapes[b.kind](b), true))
    const place = (body) => {
        const q = body.GetRotation()
        return [...list(body.GetPosition()), q.GetW(), ...list(q), ...list(body.GetLinearVelocity()), ...list(body.GetAngularVelocity())]
    }
    return { step: (dt) => world.Step(dt, 1), read: () => parts.map(place) }
}

async function havok(scene) {
    const folder = createRequire(import.meta.url).resolve('@babylonjs/havok').replace(/lib\/.*/, 'lib/')
    const wasmBinary = readFileSync(`${folder}esm/HavokPhysics.wasm`)
    const H = await (await import('@babylonjs/havok')).default({ wasmBinary })
    const world = H.HP_World_Create()[1]
    H.HP_World_SetGravity(world, scene.gravity)
    H.HP_World_SetIdealStepTime(world, scene.dt)
    const origin = [0, 0, 0], still = [0, 0, 0, 1]
    const shapes = {
        box: (b) => H.HP_Shape_CreateBox(origin, still, b.size.map((x) => 2 * x))[1],
        ball: (b) => H.HP_Shape_CreateSphere(origin, b.size[0])[1],
    }
    const add = (b, shape, moving) => {
        const [x, y, z, qw, qx, qy, qz] = b.pose, body = H.HP_Body_Create()[1]
        H.HP_Shape_SetMaterial(shape, [scene.friction, scene.friction, 0, H.MaterialCombine.MINIMUM, H.MaterialCombine.MINIMUM])
        H.HP_Body_SetShape(body, shape)
        H.HP_Body_SetMotionType(body, moving ? H.MotionType.DYNAMIC : H.MotionType.STATIC)
        H.HP_Body_SetQTransform(body, [[x, y, z], [qx, qy, qz, qw]])
        if (moving) {
            const [center, mass, inertia, turn] = H.HP_Shape_BuildMassProperties(shape)[1]
            H.HP_Body_SetMassProperties(body, [center, b.mass, inertia.map((i) => (i * b.mass) / mass), turn])
            H.HP_Body_SetLinearDamping(body, 0)
            H.HP_Body_SetAngularDamping(body, 0)
            H.HP_Body_SetActivationControl(body, H.ActivationControl.ALWAYS_ACTIVE)
        }
        H.HP_World_AddBody(world, body, false)
        return body
    }
    for (const b of [groundBox(scene), ...scene.walls]) add(b, shapes.box(b), false)
    const parts = scene.bodies.map((b) => add(b, shapes[b.kind](b), true))
    const place = (body) => {
        const [p, [x, y, z, w]] = H.HP_Body_GetQTransform(body)[1]
        return [...p, w, x, y, z, ...H.HP_Body_GetLinearVelocity(body)[1], ...H.HP_Body_GetAngularVelocity(body)[1]]
    }
    return { step: (dt) => H.HP_World_Step(world, dt), read: () => parts.map(place) }
}

function scaled(scene) {
    const lightest = Math.min(...scene.bodies.map((b) => b.mass))
    return { ...scene, bodies: scene.bodies.map((b) => ({ ...b, mass: b.mass / lightest })) }
}

const spent = process.threadCpuUsage ? () => process.threadCpuUsage() : () => process.cpuUsage()
const seconds = (from) => {
    const now = spent()
    return (now.user + now.system - from.user - from.system) / 1e6
}

let world
for await (const line of createInterface({ input: process.stdin })) {
    try {
        if (!world) {
            world = await { jolt, havok }[process.argv[2]](scaled(JSON.parse(line)))
            console.log('ready')
        } else if (line[0] === 's') {
            const start = spent()
            world.step(Number(line.slice(2)))
            console.log(`${seconds(start)} 0`)
        } else {
            console.log(world.read().map((body) => [...body, NaN].join(' ')).join(' '))
        }
    } catch (error) {
        console.log(`no ${String(error.message ?? error).split('\n')[0]}`)
        process.exit(1)
    }
}
process.exit(0)
