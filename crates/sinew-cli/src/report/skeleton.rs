//! A small skeleton that moves, drawn on a canvas by a script in the page.

use std::fmt::Write as _;

use super::escape;

/// Name, colour and for each frame the positions x y z of all joints.
pub type Layer = (String, &'static str, Vec<Vec<[f32; 3]>>);

/// Joint positions over time, of one or more versions of a character.
pub struct Moving {
    pub id: &'static str,
    pub fps: f32,
    /// Parent of each joint, -1 at the roots.
    pub parents: Vec<i32>,
    /// Versions of the character, drawn over one another.
    pub layers: Vec<Layer>,
    /// The ground rises by this much a metre along x and z.
    pub slope: [f32; 2],
    /// A point that is marked.
    pub mark: Option<[f32; 3]>,
}

impl Moving {
    pub fn html(&self) -> String {
        let mut layers = String::new();
        for (name, color, frames) in &self.layers {
            let mut data = String::new();
            for frame in frames {
                let numbers: Vec<String> = frame.iter().flatten().map(|v| format!("{v:.3}")).collect();
                let _ = write!(data, "[{}],", numbers.join(","));
            }
            let _ = write!(layers, "{{name:{name:?},color:{color:?},frames:[{data}]}},");
        }
        let legend: String = self
            .layers
            .iter()
            .map(|(name, color, _)| format!("<span style=\"color:{color}\">■ {}</span> ", escape(name)))
            .collect();
        let mark = self.mark.map_or("null".to_string(), |m| format!("{m:?}"));
        format!(
            "<p class=\"legend\">{legend} — drag to turn, wheel to zoom</p>\n<canvas id=\"{id}\" width=\"900\" height=\"460\"></canvas>\n<script>(function(){{const id={id:?},fps={fps},parents={parents:?},slope={slope:?},mark={mark},layers=[{layers}];{SCRIPT}}})();</script>\n",
            id = self.id,
            fps = self.fps,
            parents = self.parents,
            slope = self.slope,
        )
    }
}

const SCRIPT: &str = r##"
const c=document.getElementById(id),g=c.getContext("2d");let yaw=0.7,pitch=0.25,zoom=150,down=null;
c.onpointerdown=e=>{down=[e.clientX,e.clientY];c.setPointerCapture(e.pointerId)};c.onpointerup=()=>down=null;
c.onpointermove=e=>{if(!down)return;yaw+=(e.clientX-down[0])*0.01;pitch=Math.max(-1.4,Math.min(1.4,pitch+(e.clientY-down[1])*0.01));down=[e.clientX,e.clientY]};
c.onwheel=e=>{e.preventDefault();zoom*=Math.exp(-e.deltaY*0.001)};
function draw(now){const n=layers[0].frames.length,f=Math.floor(now/1000*fps)%n;
const root=layers[layers.length-1].frames[f];let cx=root[0],cz=root[2];
const cy=Math.cos(yaw),sy=Math.sin(yaw),cp=Math.cos(pitch),sp=Math.sin(pitch);
const P=(x,y,z)=>{x-=cx;z-=cz;const a=x*cy-z*sy,b=x*sy+z*cy;return[450+a*zoom,330-(y*cp-b*sp)*zoom]};
const ground=(x,z)=>slope[0]*x+slope[1]*z;
g.clearRect(0,0,900,460);g.strokeStyle="#e3dfd6";g.lineWidth=1;const s=0.25,ox=Math.round(cx/s)*s,oz=Math.round(cz/s)*s;
for(let i=-6;i<=6;i++)for(const[x1,z1,x2,z2]of[[ox+i*s,oz-6*s,ox+i*s,oz+6*s],[ox-6*s,oz+i*s,ox+6*s,oz+i*s]]){const a=P(x1,ground(x1,z1),z1),b=P(x2,ground(x2,z2),z2);g.beginPath();g.moveTo(...a);g.lineTo(...b);g.stroke()}
if(mark){const m=P(...mark);g.fillStyle="#c33";g.beginPath();g.arc(m[0],m[1],5,0,7);g.fill()}
for(const l of layers){const q=l.frames[f];g.strokeStyle=l.color;g.lineWidth=3;g.lineCap="round";
for(let j=0;j<parents.length;j++){const p=parents[j];if(p<0)continue;g.beginPath();g.moveTo(...P(q[3*p],q[3*p+1],q[3*p+2]));g.lineTo(...P(q[3*j],q[3*j+1],q[3*j+2]));g.stroke()}}
requestAnimationFrame(draw)}requestAnimationFrame(draw);
"##;
